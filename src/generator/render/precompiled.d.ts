/** Made by scripts/precompile-templates.mjs: path under `templates/`, without `.hbs`, to its function. */
export const precompiled: Readonly<Record<string, TemplateSpecification>>

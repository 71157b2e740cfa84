export const dockerSuites: readonly string[]
export const processSuites: Readonly<Record<string, string>>

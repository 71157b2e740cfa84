/** Imports a package for the chunks in `dist/`: code that V8 took from a cache can't use `import()`. */
exports.importModule = (name) => import(name)

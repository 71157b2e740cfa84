exports.greet = (name) => `hello from the ${name}`

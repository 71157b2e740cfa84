/** Prints a value as TypeScript code, strings in single quotes. */
export function literal(value: string | number | boolean): string {
  return typeof value === 'string' ? quote(value) : String(value)
}

function quote(text: string): string {
  const escaped = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"')
  // The formatter changes to double quotes if that saves a backslash.
  return `'${escaped.replaceAll("'", "\\'")}'`
}

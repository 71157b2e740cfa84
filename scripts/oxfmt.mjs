// Replaces oxfmt in the command line: see native-formatter.mjs. Oxfmt formats scripts in native code, and calls back for
// CSS, HTML and other languages in their template strings. Such a script is left to oxfmt itself.
import { format as formatScript } from 'oxfmt-bindings'

export async function format(path, text, options) {
  let isMixed = false
  const refuse = () => {
    isMixed = true
    return Promise.resolve(null)
  }
  const refuseFile = () => {
    isMixed = true
    return Promise.resolve({ ok: false, error: 'not a script' })
  }
  const result = await formatScript(path, text, options, refuseFile, refuse, refuse, refuse)
  if (!isMixed) return result
  const oxfmt = await import('oxfmt')
  return oxfmt.format(path, text, options)
}

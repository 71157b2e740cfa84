import { diffIndices } from 'node-diff3'
import type { Texts } from './merge.ts'

interface Token {
  readonly text: string
  readonly start: number
}

/**
 * Gives the emitted texts of a script the names of locals that the person renamed: otherwise new code would use a name
 * that the person's version no longer declares. Returns the same texts if there is no such name.
 */
export function withRenamedLocals(texts: Texts): Texts {
  const [base, disk, next] = [texts.base, texts.disk, texts.next].map(tokensOf)
  if (!base || !disk || !next) return texts
  const [known, used, wanted] = [base, disk, next].map(namesOf)
  const gone = [...declaredIn(base)].filter((name) => wanted?.has(name) && !used?.has(name))
  if (gone.length === 0) return texts
  const renames = new Map<string, string>()
  for (const [name, candidates] of replacements(base, disk)) {
    const [to, ...others] = candidates
    if (!to || others.length > 0 || !gone.includes(name)) continue
    if (known?.has(to) || wanted?.has(to) || isShorthand(name, base) || isShorthand(name, next))
      continue
    renames.set(name, to)
  }
  if (renames.size === 0) return texts
  return {
    ...texts,
    base: rename(texts.base, base, renames),
    next: rename(texts.next, next, renames),
  }
}

/** Strings, templates and comments are one token each, so that their words are no names. */
const pattern =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|[A-Za-z_$][\w$]*|\d[\w.]*|[^\s\w]/g

function tokensOf(text: string): readonly Token[] {
  return [...text.matchAll(pattern)].map((match) => ({ text: match[0], start: match.index }))
}

function isName(text: string): boolean {
  return /^[A-Za-z_$]/.test(text)
}

function namesOf(tokens: readonly Token[]): ReadonlySet<string> {
  return new Set(tokens.map(({ text }) => text).filter(isName))
}

function declaredIn(tokens: readonly Token[]): ReadonlySet<string> {
  const names = tokens.filter((_, at) =>
    ['const', 'let', 'function'].includes(tokens[at - 1]?.text ?? ''),
  )
  return new Set(names.map(({ text }) => text).filter(isName))
}

/** Lists the names that stand in `to` at the places of a name of `from`. */
function replacements(from: readonly Token[], to: readonly Token[]): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  const regions = diffIndices(
    from.map(({ text }) => text),
    to.map(({ text }) => text),
  )
  for (const { buffer1, buffer2 } of regions) {
    if (buffer1[1] !== buffer2[1]) continue
    for (let at = 0; at < buffer1[1]; at++) {
      const [one, other] = [from[buffer1[0] + at]?.text ?? '', to[buffer2[0] + at]?.text ?? '']
      if (isName(one) && isName(other)) found.set(one, (found.get(one) ?? new Set()).add(other))
    }
  }
  return found
}

/** A shorthand (`{ name }`) is a local and a property in one, and a property must keep its name. */
function isShorthand(name: string, tokens: readonly Token[]): boolean {
  return tokens.some(
    ({ text }, at) =>
      text === name &&
      /^[{,]$/.test(tokens[at - 1]?.text ?? '') &&
      /^[,}]$/.test(tokens[at + 1]?.text ?? '') &&
      (tokens[at - 1]?.text === '{' || tokens[at + 1]?.text === '}'),
  )
}

function rename(
  text: string,
  tokens: readonly Token[],
  renames: ReadonlyMap<string, string>,
): string {
  return tokens.reduceRight((current, { text: name, start }, at) => {
    const to = renames.get(name)
    const [previous, following] = [tokens[at - 1]?.text, tokens[at + 1]?.text]
    const isProperty = previous === '.' || (following === ':' && /^[{,]$/.test(previous ?? ''))
    if (to === undefined || isProperty) return current
    return current.slice(0, start) + to + current.slice(start + name.length)
  }, text)
}

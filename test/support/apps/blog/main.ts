import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { readSettings, runReference } from '../reference-process.ts'
import type { BlogMutantName } from './mutants.ts'
import { createReferenceBlog } from './reference-blog.ts'
import { createTables, type Saved, type Tables } from './tables.ts'

/** Runs the reference blog as a process that stores its rows in a file. */

const is = (name: BlogMutantName): boolean => process.argv[2] === name
const { JWT_SECRET = '', UPLOAD_DIR = './uploads' } = process.env
const settings = readSettings(() => false, secretFaults())
const app = createReferenceBlog({
  tables: openTables(settings.file),
  secret: is('secret-made-up') ? `${process.pid} ${JWT_SECRET}` : JWT_SECRET,
  folder: is('dir-ignored') ? './uploads' : UPLOAD_DIR,
  is,
})
runReference(is('logs-bodies') ? logged(app) : app, settings, () => false)

function secretFaults(): readonly string[] {
  if (is('secret-optional') && JWT_SECRET === '') return []
  const length = is('secret-in-characters') ? JWT_SECRET.length : Buffer.byteLength(JWT_SECRET)
  if (length >= (is('secret-short') ? 31 : 32)) return []
  return [`JWT_SECRET: shorter than 32 bytes${is('secret-shown') ? `: ${JWT_SECRET}` : ''}`]
}

function openTables(path: string | undefined): Tables {
  const isKept = path !== undefined && existsSync(path)
  // Only this program writes the file.
  const start: Saved | undefined = isKept ? JSON.parse(readFileSync(path, 'utf8')) : undefined
  const save = (all: Saved): void => {
    if (path !== undefined) writeFileSync(path, JSON.stringify(all))
  }
  return createTables(start, save, () => {
    const isBroken = path !== undefined && existsSync(path) && statSync(path).isDirectory()
    if (isBroken) throw new Error(`${path} is no file`)
  })
}

function logged(listener: RequestListener): RequestListener {
  return (req, res) => {
    req.on('data', (chunk: Buffer) =>
      process.stdout.write(`${JSON.stringify({ body: `${chunk}` })}\n`),
    )
    listener(req, res)
  }
}

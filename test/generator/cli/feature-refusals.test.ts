import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { project, temporaryFolder } from './folders.ts'
import { marked, refused } from './refusal.ts'

let root = ''
beforeAll(async () => {
  root = await project('Book title:string')
})

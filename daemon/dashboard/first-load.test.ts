import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { firstLoadBudgetBytes, firstLoadFiles } from '../../test/support/page/first-load.ts'

const files = firstLoadFiles()

test('the first load of the page with the overview is at most 90 kB, gzipped', () => {
  expect(files.map(({ name }) => name.replace(/-[A-Z0-9]{8}\./, '.'))).toEqual(
    expect.arrayContaining(['index.html', 'main.css', 'main.js', 'room.js', 'apply-theme.js']),
  )
  const sum = files.reduce((total, { gzipBytes }) => total + gzipBytes, 0)
  expect(sum).toBeLessThanOrEqual(firstLoadBudgetBytes)
})

test('the built page names no other origin, and holds no inline code', () => {
  const folder = new URL('../../dist/dashboard/', import.meta.url)
  const html = readFileSync(new URL('index.html', folder), 'utf8')
  expect(html).not.toMatch(/https?:|style=|<style|<script>|onload=|onerror=/)
  for (const { name } of files) {
    const urls = readFileSync(new URL(name, folder), 'utf8').match(/https?:\/\/[^\s"'`)]*/g) ?? []
    // Names of XML dialects, placeholders, and addresses that the page builds; no request goes there.
    const allowed = /^https?:\/\/($|\$|www\.w3\.org\/|github\.com\/team\/shop\.git)/
    expect(urls.filter((url) => !allowed.test(url))).toEqual([])
  }
})

import mssql from 'mssql'
import { expect, test } from 'vitest'
import { connectionString, inDatabase } from './sqlserver.ts'

const url = 'sqlserver://db.test:1434;database=master;user=sa;password={a;b=c};encrypt=true'

test('the URL of a database of a server keeps all but the database', () => {
  expect(inDatabase(url, 'shop')).toBe(
    'sqlserver://db.test:1434;database=shop;user=sa;password={a;b=c};encrypt=true',
  )
  expect(inDatabase('sqlserver://db.test', 'shop')).toBe('sqlserver://db.test;database=shop')
})

test('a URL reads to the client as what it says', () => {
  expect(mssql.ConnectionPool.parseConnectionString(connectionString(url))).toMatchObject({
    server: 'db.test',
    port: 1434,
    database: 'master',
    user: 'sa',
    password: 'a;b=c',
    options: { encrypt: true },
  })
})

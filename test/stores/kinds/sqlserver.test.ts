import mssql from 'mssql'
import { expect, test } from 'vitest'
import { connectionString, inDatabase } from './sqlserver.ts'

const url = 'sqlserver://db.test:1434;database=master;user=sa;password={a;b=c};encrypt=true'

test('inDatabase replaces only the database in a SQL Server URL', () => {
  expect(inDatabase(url, 'shop')).toBe(
    'sqlserver://db.test:1434;database=shop;user=sa;password={a;b=c};encrypt=true',
  )
  expect(inDatabase('sqlserver://db.test', 'shop')).toBe('sqlserver://db.test;database=shop')
})

test('a SQL Server URL translates to the same settings in the format of the client', () => {
  expect(mssql.ConnectionPool.parseConnectionString(connectionString(url))).toMatchObject({
    server: 'db.test',
    port: 1434,
    database: 'master',
    user: 'sa',
    password: 'a;b=c',
    options: { encrypt: true },
  })
})

import mssql from 'mssql'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { connectionString } from '../../kinds/sqlserver.ts'
import { type StandIn, startStandIn } from './stand-in.ts'

/** The SQL Server client of the applications must work with the stand-in as with a server. */

let standIn: StandIn
let databases = 0
let url: string

beforeAll(async () => {
  standIn = await startStandIn()
})
afterAll(async () => {
  await standIn.stop()
  expect(standIn.faults).toEqual([])
})
beforeEach(async () => {
  databases += 1
  url = standIn.urlOf(`test_${databases}`)
  await (await connect()).request().batch(migration)
})

async function connect() {
  const pool = await new mssql.ConnectionPool(connectionString(url)).connect()
  onTestFinished(async () => void (await pool.close()))
  return pool
}

const migration = `BEGIN TRY

BEGIN TRAN;

-- CreateTable
CREATE TABLE [dbo].[shelves] (
    [id] INT NOT NULL IDENTITY(1,1),
    [name] NVARCHAR(max) COLLATE Latin1_General_100_BIN2 NOT NULL,
    [code] NVARCHAR(20) COLLATE Latin1_General_100_BIN2,
    [open] BIT NOT NULL CONSTRAINT [shelves_open_df] DEFAULT 0,
    [made_at] DATETIME2 NOT NULL CONSTRAINT [shelves_made_at_df] DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT [shelves_pkey] PRIMARY KEY CLUSTERED ([id]),
    CONSTRAINT [shelves_name_key] UNIQUE NONCLUSTERED ([name])
);

-- CreateTable
CREATE TABLE [dbo].[books] (
    [id] INT NOT NULL IDENTITY(1,1),
    [shelf_id] INT NOT NULL,
    CONSTRAINT [books_pkey] PRIMARY KEY CLUSTERED ([id])
);

-- CreateIndex
CREATE UNIQUE NONCLUSTERED INDEX [shelves_code_key] ON [dbo].[shelves]([code]) WHERE [code] IS NOT NULL;

-- AddForeignKey
ALTER TABLE [dbo].[books] ADD CONSTRAINT [books_shelf_id_fkey] FOREIGN KEY ([shelf_id]) REFERENCES [dbo].[shelves]([id]) ON DELETE NO ACTION ON UPDATE NO ACTION;

COMMIT TRAN;

END TRY
BEGIN CATCH

IF @@TRANCOUNT > 0
BEGIN
    ROLLBACK TRAN;
END;
THROW

END CATCH
`

const insert =
  'INSERT INTO [dbo].[shelves] ([name],[code],[open],[made_at]) VALUES (@P1,@P2,@P3,@P4)'

test('the stand-in returns values as sent', async () => {
  const name = `${'Ünï🦓'.repeat(5_000)}'`
  const made = '2026-02-28T23:59:59.123Z'
  const pool = await connect()
  const shelf = { P1: name, P2: null, P3: true, P4: made }
  const request = pool.request().input('P1', name).input('P2', mssql.NVarChar, null)
  const { rowsAffected } = await request.input('P3', true).input('P4', made).query(insert)
  expect(rowsAffected).toEqual([1])
  const { recordset } = await pool.request().query('SELECT * FROM [dbo].[shelves]')
  const record = { id: 1, name, code: null, open: true, made_at: new Date(made) }
  expect([...recordset]).toEqual([record])
  const sent = standIn.sent.findLast(({ kind, ...each }) => 'sql' in each && each.sql === insert)
  expect(sent).toMatchObject({ kind: 'call', values: shelf })
})

test('the stand-in answers constraint violations with the error numbers of SQL Server', async () => {
  const pool = await connect()
  const put = (name: string, code: string) =>
    pool
      .request()
      .input('P1', name)
      .input('P2', code)
      .query('INSERT INTO [dbo].[shelves] ([name],[code]) VALUES (@P1,@P2)')
  await put('A', 'a')
  await expect(put('A', 'b')).rejects.toMatchObject({
    number: 2627,
    message: expect.stringContaining("constraint 'shelves_name_key'"),
  })
  await expect(put('B', 'a')).rejects.toMatchObject({
    number: 2601,
    message: expect.stringContaining("index 'shelves_code_key'"),
  })
  const book = 'INSERT INTO [dbo].[books] ([shelf_id]) VALUES (9)'
  await expect(pool.request().query(book)).rejects.toMatchObject({ number: 547 })
})

test('other connections wait for a transaction and see nothing of a rolled-back one', async () => {
  const [writer, reader] = [await connect(), await connect()]
  const transaction = writer.transaction()
  await transaction.begin()
  await transaction.request().query("INSERT INTO [dbo].[shelves] ([name]) VALUES ('A')")
  const read = reader.request().query('SELECT COUNT(*) AS [n] FROM [dbo].[shelves]')
  const isRead = await Promise.race([
    read.then(() => true),
    transaction.request().query('SELECT 1'),
  ])
  expect(isRead).not.toBe(true)
  await transaction.rollback()
  expect((await read).recordset[0]).toEqual({ n: 0 })
})

import { expect, test } from 'vitest'
import { modelOf } from '../../../../test/generator/migrate/support.ts'
import { migrate } from '../diff.ts'

const users = (fields: string) => modelOf('sqlserver', { User: fields })

test('a table is created in a transaction, and a unique column that is optional has a filtered index', () => {
  const fields =
    'email:email:unique,nick:string:optional:unique,bio:text:default=é,live:bool:default=true'
  expect(migrate(undefined, users(fields))?.sql).toBe(`BEGIN TRY

BEGIN TRAN;

-- CreateTable
CREATE TABLE [dbo].[users] (
    [id] INT NOT NULL IDENTITY(1,1),
    [email] NVARCHAR(254) NOT NULL,
    [nick] NVARCHAR(255),
    [bio] NVARCHAR(max) NOT NULL CONSTRAINT [users_bio_df] DEFAULT N'é',
    [live] BIT NOT NULL CONSTRAINT [users_live_df] DEFAULT 1,
    [created_at] DATETIME2 NOT NULL CONSTRAINT [users_created_at_df] DEFAULT CURRENT_TIMESTAMP,
    [updated_at] DATETIME2 NOT NULL CONSTRAINT [users_updated_at_df] DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT [users_pkey] PRIMARY KEY CLUSTERED ([id]),
    CONSTRAINT [users_email_key] UNIQUE NONCLUSTERED ([email])
);

-- CreateIndex
CREATE UNIQUE NONCLUSTERED INDEX [users_nick_key] ON [dbo].[users]([nick]) WHERE [nick] IS NOT NULL;

-- CreateIndex
CREATE NONCLUSTERED INDEX [users_created_at_id_idx] ON [dbo].[users]([created_at], [id]);

COMMIT TRAN;

END TRY
BEGIN CATCH

IF @@TRANCOUNT > 0
BEGIN
    ROLLBACK TRAN;
END;
THROW

END CATCH
`)
})

test('what hangs on a column goes before it changes and comes back after', () => {
  const migration = migrate(
    users(
      'name:string:optional:index,code:int:optional:unique,age:int:default=1,gone:int:default=2',
    ),
    users('name:string:default=none:index,code:int:unique,age:float:default=1,born:date:optional'),
  )
  expect(migration?.sql).toContain(`-- DropIndex
DROP INDEX [users_code_key] ON [dbo].[users];

-- DropIndex
DROP INDEX [users_name_idx] ON [dbo].[users];

-- AlterTable
ALTER TABLE [dbo].[users] DROP CONSTRAINT [users_gone_df],
[users_age_df];
EXEC('UPDATE [dbo].[users] SET [name] = ''none'' WHERE [name] IS NULL');
ALTER TABLE [dbo].[users] ALTER COLUMN [name] NVARCHAR(255) NOT NULL;
ALTER TABLE [dbo].[users] ALTER COLUMN [code] INT NOT NULL;
ALTER TABLE [dbo].[users] ALTER COLUMN [age] FLOAT(53) NOT NULL;
ALTER TABLE [dbo].[users] DROP COLUMN [gone];
ALTER TABLE [dbo].[users] ADD CONSTRAINT [users_name_df] DEFAULT 'none' FOR [name],
CONSTRAINT [users_age_df] DEFAULT 1 FOR [age];
ALTER TABLE [dbo].[users] ADD [born] DATE;

-- CreateIndex
ALTER TABLE [dbo].[users] ADD CONSTRAINT [users_code_key] UNIQUE NONCLUSTERED ([code]);

-- CreateIndex
CREATE NONCLUSTERED INDEX [users_name_idx] ON [dbo].[users]([name]);
`)
})

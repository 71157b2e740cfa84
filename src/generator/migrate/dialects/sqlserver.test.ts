import { expect, test } from 'vitest'
import { modelOf, searched } from '../../../../test/support/generator/migrate/migrate.ts'
import { migrate } from '../migrate.ts'

const users = (fields: string) => modelOf('sqlserver', { User: fields })

test('SQL Server leaves NULL out of a unique group with a filtered index over its optional columns', () => {
  const fields = 'room:int,row:int:optional,place:int:optional'
  const model = users(fields)
  const features = model.features.map((each) => ({ ...each, unique: [['room', 'row', 'place']] }))
  expect(migrate(undefined, { ...model, features })?.sql).toContain(
    'CREATE UNIQUE NONCLUSTERED INDEX [users_room_row_place_key] ON [dbo].[users]([room], [row], [place]) WHERE [row] IS NOT NULL AND [place] IS NOT NULL',
  )
})

test('SQL Server creates a table in a transaction, with a filtered index for an optional unique column', () => {
  const fields =
    'email:email:unique,nick:string:optional:unique,bio:text:default=é,live:bool:default=true'
  expect(migrate(undefined, users(fields))?.sql).toBe(`BEGIN TRY

BEGIN TRAN;

-- CreateTable
CREATE TABLE [dbo].[users] (
    [id] INT NOT NULL IDENTITY(1,1),
    [email] NVARCHAR(254) COLLATE Latin1_General_100_BIN2 NOT NULL,
    [nick] NVARCHAR(255) COLLATE Latin1_General_100_BIN2,
    [bio] NVARCHAR(max) COLLATE Latin1_General_100_BIN2 NOT NULL CONSTRAINT [users_bio_df] DEFAULT N'é',
    [live] BIT NOT NULL CONSTRAINT [users_live_df] DEFAULT 1,
    [created_at] DATETIME2 NOT NULL CONSTRAINT [users_created_at_df] DEFAULT CURRENT_TIMESTAMP,
    [updated_at] DATETIME2 NOT NULL CONSTRAINT [users_updated_at_df] DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT [users_pkey] PRIMARY KEY CLUSTERED ([id]),
    CONSTRAINT [users_email_key] UNIQUE NONCLUSTERED ([email])
);

-- CreateIndex
CREATE UNIQUE NONCLUSTERED INDEX [users_nick_key] ON [dbo].[users]([nick]) WHERE [nick] IS NOT NULL;

-- CreateIndex
CREATE NONCLUSTERED INDEX [users_live_created_at_id_idx] ON [dbo].[users]([live], [created_at], [id]);

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

test('SQL Server drops the constraints of a column before a change and creates them again after it', () => {
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
ALTER TABLE [dbo].[users] ALTER COLUMN [name] NVARCHAR(255) COLLATE Latin1_General_100_BIN2 NOT NULL;
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

test('SQL Server keys have NO ACTION or CASCADE, and a join table is unique without a primary key', () => {
  const model = modelOf('sqlserver', {
    Tag: 'parent_id:uint:optional:fk(Tag)',
    Post: 'tag_id:uint:fk(Tag):cascade,tags:many(Tag)',
  })
  const sql = migrate(undefined, model)?.sql ?? ''
  expect(sql).toContain(`CREATE TABLE [dbo].[_posts_tags] (
    [A] INT NOT NULL,
    [B] INT NOT NULL,
    CONSTRAINT [_posts_tags_AB_unique] UNIQUE NONCLUSTERED ([A],[B])
);
`)
  expect(sql).toContain(
    'CREATE NONCLUSTERED INDEX [_posts_tags_B_index] ON [dbo].[_posts_tags]([B]);',
  )
  expect(sql).toContain(
    'FOREIGN KEY ([parent_id]) REFERENCES [dbo].[tags]([id]) ON DELETE NO ACTION ON UPDATE NO ACTION;',
  )
  expect(sql).toContain(
    'FOREIGN KEY ([tag_id]) REFERENCES [dbo].[tags]([id]) ON DELETE CASCADE ON UPDATE CASCADE;',
  )
})

test('SQL Server drops foreign keys before their tables', () => {
  const before = modelOf('sqlserver', { Post: 'tag_id:uint:fk(Tag)', Tag: 'a:int' })
  expect(migrate(before, modelOf('sqlserver', {}))?.sql).toContain(`-- DropForeignKey
ALTER TABLE [dbo].[posts] DROP CONSTRAINT [posts_tag_id_fkey];

-- DropTable
DROP TABLE [dbo].[posts];
`)
})

test('SQL Server folds existing text for a new search in dynamic SQL', () => {
  const before = modelOf('sqlserver', { Post: 'title:string' })
  const migration = migrate(before, searched(before, { Post: ['title'] }))
  expect(migration?.sql).toContain("EXEC('UPDATE [dbo].[posts] SET [title_search] = replace(")
  expect(migration?.sql).toContain("lower(coalesce([title], '''')), NCHAR(962), NCHAR(963)), ''%''")
})

import { expect, test } from 'vitest'
import { modelOf, searched } from '../../../../test/support/generator/migrate/migrate.ts'
import { migrate } from '../migrate.ts'

const users = (fields: string) => modelOf('mysql', { User: fields })

test('MySQL creates a table together with its indexes', () => {
  const fields = 'email:email:unique,bio:text:default="a\\\\b",score:decimal(10,2):optional:index'
  expect(migrate(undefined, users(fields))?.sql).toBe(`-- CreateTable
CREATE TABLE \`users\` (
    \`id\` INTEGER NOT NULL AUTO_INCREMENT,
    \`email\` VARCHAR(254) NOT NULL,
    \`bio\` MEDIUMTEXT NOT NULL DEFAULT ('a\\\\b'),
    \`score\` DECIMAL(10, 2) NULL,
    \`created_at\` DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    \`updated_at\` DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),

    UNIQUE INDEX \`users_email_key\`(\`email\`),
    INDEX \`users_score_idx\`(\`score\`),
    INDEX \`users_created_at_id_idx\`(\`created_at\`, \`id\`),
    PRIMARY KEY (\`id\`)
) DEFAULT CHARACTER SET utf8mb4 /*!80017 COLLATE utf8mb4_0900_bin */ /*M! COLLATE utf8mb4_nopad_bin */;
`)
})

test('MySQL repeats the whole definition of a changed column', () => {
  const migration = migrate(
    users('name:string:default=none,age:int:index,code:string:index'),
    users('name:string,age:string:optional:index,code:uuid:optional:index,born:date:optional'),
  )
  expect(migration?.sql).toBe(`-- AlterTable
ALTER TABLE \`users\` DROP COLUMN \`code\`;
ALTER TABLE \`users\` ADD COLUMN \`born\` DATE NULL,
    ALTER COLUMN \`name\` DROP DEFAULT,
    MODIFY \`age\` VARCHAR(255) NULL,
    ADD COLUMN \`code\` CHAR(36) NULL;

-- CreateIndex
CREATE INDEX \`users_code_idx\` ON \`users\`(\`code\`);
`)
})

test('MySQL replaces NULL by the default before a column becomes required', () => {
  expect(migrate(users('age:int:optional'), users('age:int:default=18'))?.sql).toBe(`-- AlterTable
UPDATE \`users\` SET \`age\` = 18 WHERE \`age\` IS NULL;
ALTER TABLE \`users\` MODIFY \`age\` INTEGER NOT NULL DEFAULT 18;
`)
})

const posts = (fields: string) => modelOf('mysql', { User: 'a:int', Post: fields })

test('MySQL gives a join table no primary key and adds foreign keys after all tables', () => {
  const model = modelOf('mysql', { Post: 'a:int,tags:many(Tag)', Tag: 'a:int' })
  const sql = migrate(undefined, model)?.sql ?? ''
  expect(sql.slice(sql.indexOf('CREATE TABLE `_'))).toBe(`CREATE TABLE \`_posts_tags\` (
    \`A\` INTEGER NOT NULL,
    \`B\` INTEGER NOT NULL,

    UNIQUE INDEX \`_posts_tags_AB_unique\`(\`A\`, \`B\`),
    INDEX \`_posts_tags_B_index\`(\`B\`)
) DEFAULT CHARACTER SET utf8mb4 /*!80017 COLLATE utf8mb4_0900_bin */ /*M! COLLATE utf8mb4_nopad_bin */;

-- AddForeignKey
ALTER TABLE \`_posts_tags\` ADD CONSTRAINT \`_posts_tags_A_fkey\` FOREIGN KEY (\`A\`) REFERENCES \`posts\`(\`id\`) ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE \`_posts_tags\` ADD CONSTRAINT \`_posts_tags_B_fkey\` FOREIGN KEY (\`B\`) REFERENCES \`tags\`(\`id\`) ON DELETE CASCADE ON UPDATE CASCADE;
`)
})

test('MySQL drops a foreign key before its index is dropped or its column becomes required', () => {
  const after = posts('user_id:uint:fk(User)')
  const key = `-- AddForeignKey
ALTER TABLE \`posts\` ADD CONSTRAINT \`posts_user_id_fkey\` FOREIGN KEY (\`user_id\`) REFERENCES \`users\`(\`id\`) ON DELETE RESTRICT ON UPDATE CASCADE;
`
  expect(migrate(posts('user_id:uint:fk(User):unique'), after)?.sql).toBe(`-- DropForeignKey
ALTER TABLE \`posts\` DROP FOREIGN KEY \`posts_user_id_fkey\`;

-- DropIndex
DROP INDEX \`posts_user_id_key\` ON \`posts\`;

-- CreateIndex
CREATE INDEX \`posts_user_id_created_at_id_idx\` ON \`posts\`(\`user_id\`, \`created_at\`, \`id\`);

${key}`)
  expect(migrate(posts('user_id:uint:fk(User):optional'), after)?.sql).toBe(`-- DropForeignKey
ALTER TABLE \`posts\` DROP FOREIGN KEY \`posts_user_id_fkey\`;

-- AlterTable
ALTER TABLE \`posts\` MODIFY \`user_id\` INTEGER NOT NULL;

${key}`)
})

test('MySQL drops an index of several columns before it recreates one of them', () => {
  const migration = migrate(posts('user_id:bool'), posts('user_id:uint:optional:fk(User)'))
  expect(migration?.sql).toMatch(/^-- DropIndex\nDROP INDEX `posts_user_id_created_at_id_idx`/)
})

test('MySQL folds existing text for a new search and writes invisible characters as bytes', () => {
  const before = posts('title:string')
  const migration = migrate(before, searched(before, { Post: ['title'] }))
  const percent = "'%', CHAR(0xee8080 USING utf8mb4)"
  const backslash = "'\\\\', CHAR(0xee8082 USING utf8mb4)"
  expect(migration?.sql).toContain('UPDATE `posts` SET `title_search` = replace(replace(')
  expect(migration?.sql).toContain(percent)
  expect(migration?.sql).toContain(backslash)
})

import { expect, test } from 'vitest'
import { modelOf } from '../../../../test/generator/migrate/support.ts'
import { migrate } from '../diff.ts'

const users = (fields: string) => modelOf('mysql', { User: fields })

test('a table is created with its indexes', () => {
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
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;
`)
})

test('a column is said anew to change it', () => {
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

test('rows without a value get the default before the column forbids them', () => {
  expect(migrate(users('age:int:optional'), users('age:int:default=18'))?.sql).toBe(`-- AlterTable
UPDATE \`users\` SET \`age\` = 18 WHERE \`age\` IS NULL;
ALTER TABLE \`users\` MODIFY \`age\` INTEGER NOT NULL DEFAULT 18;
`)
})

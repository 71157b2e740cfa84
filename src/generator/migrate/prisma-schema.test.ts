import { expect, test } from 'vitest'
import { modelOf } from '../../../test/support/generator/migrate/migrate.ts'
import { prismaSchema } from './prisma-schema.ts'

test('prismaSchema prints a model with all its attributes', () => {
  const model = modelOf('postgres', {
    BlogPost: 'title:string:max=80,view_count:uint:default=0,state:enum(draft|live):default=draft',
    Tag: 'name:string:unique,email:email:optional:index',
  })
  expect(prismaSchema(model)).toBe(`generator client {
  provider            = "prisma-client"
  output              = "../src/generated/prisma"
  importFileExtension = "js"
  moduleFormat        = "esm"
  runtime             = "nodejs"
}

datasource db {
  provider = "postgresql"
}

model BlogPost {
  id        Int      @id @default(autoincrement())
  title     String   @db.VarChar(80)
  viewCount Int      @default(0) @map("view_count")
  /// One of draft, live: the application checks it, not the database.
  state     String   @default("draft") @db.VarChar(64)
  createdAt DateTime @default(now()) @map("created_at") @db.Timestamp(3)
  updatedAt DateTime @default(now()) @map("updated_at") @db.Timestamp(3)

  @@index([createdAt, id])
  @@map("blog_posts")
}

model Tag {
  id        Int      @id @default(autoincrement())
  name      String   @unique @db.VarChar(255)
  email     String?  @db.VarChar(254)
  createdAt DateTime @default(now()) @map("created_at") @db.Timestamp(3)
  updatedAt DateTime @default(now()) @map("updated_at") @db.Timestamp(3)

  @@index([email])
  @@index([createdAt, id])
  @@map("tags")
}
`)
})

test('an entity with a reserved type name keeps its table name', () => {
  const schema = prismaSchema(modelOf('sqlite', { Date: 'day:date' }))
  expect(schema).toContain('model DateRecord {')
  expect(schema).toContain('@@map("dates")')
})

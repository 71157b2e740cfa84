// Fills the SQLite store of the project in the working directory with records that are hard to copy. Arguments: the number
// of posts, and the hash of the password of the first user. Runs under tsx.
import { pathToFileURL } from 'node:url'

const [count, passwordHash] = [Number(process.argv[2]), process.argv[3]]
const { openStore } = await import(pathToFileURL('src/infra/store.ts').href)
const { toNullableJson } = await import(pathToFileURL('src/repositories/prisma.ts').href)
const { foldText } = await import(pathToFileURL('src/domain/fold-text.ts').href)
const { prisma, close } = await openStore('file:./data/app.db')

const minute = 60_001
const at = (i) => new Date(Date.UTC(2024, 0, 1) + i * minute)
const stamps = (i) => ({ createdAt: at(i), updatedAt: at(i * 2 + 1) })
const list = (length, toRecord) => Array.from({ length }, (_, i) => toRecord(i))

await prisma.user.createMany({
  data: list(7, (i) => ({
    name: `Ann ${i}`,
    email: `ann${i}@example.com`,
    passwordHash: i === 0 ? passwordHash : `hash ${i}`,
    role: i === 0 ? 'admin' : 'user',
    tokenVersion: i,
    keptToken: i % 2 ? `kept ${i}` : null,
    revokedTokens: i % 3 ? '' : 'a b',
    ...stamps(i),
  })),
})
await prisma.tag.createMany({
  data: list(30, (i) => ({ name: `Tag ${i}`, slug: `tag-${i}`, ...stamps(i) })),
})
for (let from = 0; from < count; from += 100) {
  await prisma.post.createMany({ data: list(100, (i) => postOf(from + i)) })
}
for (let id = 1; id <= count; id += 2) {
  const tags = [1 + (id % 30), 1 + ((id * 7) % 30)]
  await prisma.post.update({
    where: { id },
    data: { tags: { set: tags.map((tag) => ({ id: tag })) } },
  })
}
await prisma.comment.createMany({
  data: list(count, (i) => ({ postId: i + 1, text: `comment ${i}`, ...stamps(i) })),
})
// Every tenth comment answers an older one, the next tenth a newer one.
for (let id = 10; id < count; id += 10) {
  await prisma.comment.update({ where: { id }, data: { parentId: id - 5 } })
  await prisma.comment.update({
    where: { id: id + 1 },
    data: { parentId: id + 6 > count ? 1 : id + 6 },
  })
}
// Gaps, and a last id above the greatest one.
await prisma.comment.deleteMany({ where: { id: { in: [3, 4, count] } } })
await prisma.post.deleteMany({ where: { id: { in: [2, count] } } })
await close()

/** Every third post has NULL in all optional fields. */
function postOf(i) {
  const isFull = i % 3 !== 0
  const title = `Ünïcödé 😀 'single' "double" \u2028 ${i}`
  const body = isFull ? `İstanbul\tline\n${i} \\ \u200d` : null
  return {
    title,
    body,
    titleSearch: foldText(title),
    bodySearch: foldText(body ?? ''),
    price: isFull ? `${i}.${String(i).padStart(4, '0')}` : null,
    ratio: isFull ? i / 7 : null,
    day: isFull ? new Date(Date.UTC(1900 + (i % 200), 1, 28)) : null,
    seen: isFull ? at(i * 7) : null,
    ...(isFull && {
      extra: toNullableJson({ b: [1, 'two', null, { z: 0.1 }], a: `é${i}`, n: 1e21 }),
    }),
    kind: i % 2 ? 'a' : 'b',
    token: isFull ? `00000000-0000-4000-8000-${String(i).padStart(12, '0')}` : null,
    live: i % 2 === 0,
    delta: (i % 2 ? -1 : 1) * ((i * 2_000_003) % 2_147_483_647),
    authorId: isFull ? 1 + (i % 7) : null,
    ...stamps(i),
  }
}

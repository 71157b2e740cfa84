// Increments a counter from 50 concurrent writers, as ids are assigned: `node count.mjs <url>` prints the number of
// distinct results.
import { MongoClient } from 'mongodb'

const client = new MongoClient(process.argv[2])
const counters = client.db('counting').collection('counters')
const next = () =>
  counters.findOneAndUpdate(
    { _id: 'posts' },
    { $inc: { last: 1 } },
    { upsert: true, returnDocument: 'after' },
  )
const given = await Promise.all(Array.from({ length: 50 }, next))
process.stdout.write(String(new Set(given.map(({ last }) => last)).size))
await client.close()

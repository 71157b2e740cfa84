// Writes a note to a test server, or reads the note, with the client library that applications use:
// `node ask.mjs mysql <url> write "a note"`, `node ask.mjs mysql <url> read`.
import mariadb from 'mariadb'
import { MongoClient } from 'mongodb'
import pg from 'pg'

const dynamodbHeaders = {
  'content-type': 'application/x-amz-json-1.0',
  authorization:
    'AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0',
}

const clients = {
  async postgres(url, note) {
    const client = new pg.Client(url)
    await client.connect()
    try {
      if (note === undefined) return (await client.query('SELECT text FROM notes')).rows[0].text
      await client.query('CREATE TABLE notes (text text)')
      await client.query('INSERT INTO notes VALUES ($1)', [note])
    } finally {
      await client.end()
    }
  },
  async mysql(url, note) {
    const connection = await mariadb.createConnection(url.replace('mysql:', 'mariadb:'))
    try {
      if (note === undefined) return (await connection.query('SELECT text FROM notes'))[0].text
      await connection.query('CREATE TABLE notes (text text)')
      await connection.query('INSERT INTO notes VALUES (?)', [note])
    } finally {
      await connection.end()
    }
  },
  async mongodb(url, note) {
    const client = new MongoClient(url)
    const notes = client.db('notes').collection('notes')
    try {
      if (note === undefined) return (await notes.findOne()).text
      await notes.insertOne({ text: note })
    } finally {
      await client.close()
    }
  },
  async elasticsearch(url, note) {
    const place = `${url}/notes/_doc/1`
    if (note === undefined) return (await json(place))._source.text
    const body = JSON.stringify({ text: note })
    await json(place, { method: 'PUT', headers: { 'content-type': 'application/json' }, body })
  },
  async dynamodb(url, note) {
    const call = (operation, body) =>
      json(url, {
        method: 'POST',
        headers: { ...dynamodbHeaders, 'x-amz-target': `DynamoDB_20120810.${operation}` },
        body: JSON.stringify({ TableName: 'notes', ...body }),
      })
    const key = { id: { S: '1' } }
    if (note === undefined) return (await call('GetItem', { Key: key })).Item.text.S
    await call('CreateTable', {
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    })
    await call('PutItem', { Item: { ...key, text: { S: note } } })
  },
}

const [kind, url, verb, note] = process.argv.slice(2)
const answer = await clients[kind](url, verb === 'write' ? note : undefined)
process.stdout.write(answer ?? '')

async function json(place, request) {
  const response = await fetch(place, request)
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`)
  return response.json()
}

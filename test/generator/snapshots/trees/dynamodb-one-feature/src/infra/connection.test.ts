import { expect, test } from 'vitest'
import { connectionOf } from './connection.js'

test('connectionOf reads region and table of AWS, without credentials', () => {
  expect(connectionOf('dynamodb://eu-central-1/app')).toEqual({
    region: 'eu-central-1',
    table: 'app',
  })
})

test('connectionOf reads endpoint, table and access key', () => {
  expect(connectionOf('dynamodb+http://local:s%2Fcret@localhost:8000/app.test')).toEqual({
    region: 'us-east-1',
    endpoint: 'http://localhost:8000',
    credentials: { accessKeyId: 'local', secretAccessKey: 's/cret' },
    table: 'app.test',
  })
})

test('connectionOf reads the region of an endpoint', () => {
  expect(connectionOf('dynamodb+https://vpce-1.example.com/app?region=eu-west-3')).toEqual({
    region: 'eu-west-3',
    endpoint: 'https://vpce-1.example.com',
    table: 'app',
  })
})

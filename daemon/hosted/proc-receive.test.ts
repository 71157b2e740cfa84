import { Duplex } from 'node:stream'
import { describe, expect, test } from 'vitest'
import type { GitPush, RefAnswer } from '../ports.ts'
import { encodePacket, flush, type Packet } from './packets.ts'
import { serveProcReceive } from './proc-receive.ts'

const [old, next] = ['1'.repeat(40), '2'.repeat(40)]

/** A hook whose messages are `input`, cut into pieces of `size` bytes. */
function hookOf(input: Buffer, size = 3) {
  const written: Buffer[] = []
  let at = 0
  const hook = new Duplex({
    read() {
      const piece = input.subarray(at, at + size)
      at += size
      this.push(piece.length > 0 ? piece : null)
    },
    write(chunk: Buffer, _encoding, done) {
      written.push(chunk)
      done()
    },
  })
  return { hook, written: () => Buffer.concat(written).toString() }
}

const packets = (...list: readonly Packet[]) => Buffer.concat(list.map(encodePacket))

async function serve(input: Buffer, answers: readonly RefAnswer[] = []) {
  const { hook, written } = hookOf(input)
  const pushes: GitPush[] = []
  await serveProcReceive(hook, async (push) => {
    pushes.push(push)
    return answers
  })
  return { pushes, written: written() }
}

describe('serveProcReceive', () => {
  test('passes the refs of a push and answers each', async () => {
    const input = packets(
      'version=1\0push-options atomic',
      flush,
      `${old} ${next} refs/heads/main\n`,
      `${old} ${next} refs/tags/v1`,
      flush,
    )
    const answers = [{ ref: 'refs/heads/main' }, { ref: 'refs/tags/v1', refusal: 'no\ntags' }]
    expect(await serve(input, answers)).toEqual({
      pushes: [
        {
          isAtomic: true,
          refs: [
            { oldId: old, newId: next, ref: 'refs/heads/main' },
            { oldId: old, newId: next, ref: 'refs/tags/v1' },
          ],
        },
      ],
      written: '000dversion=100000016ok refs/heads/main001bng refs/tags/v1 no tags0000',
    })
  })

  test('answers nothing if the hook ends without a push', async () => {
    expect(await serve(Buffer.alloc(0))).toEqual({ pushes: [], written: '' })
    const cut = packets('version=1', flush, `${old} ${next} refs/heads/main`)
    expect((await serve(cut)).pushes).toEqual([])
  })

  test('throws for another protocol, a malformed packet and a malformed id', async () => {
    const head = packets('version=1', flush)
    for (const input of [
      packets('version=2', flush),
      Buffer.from('zzzz'),
      Buffer.from('0001'),
      Buffer.concat([head, packets('a b refs/heads/main', flush)]),
      Buffer.concat([head, Buffer.from('ffff')]),
    ]) {
      await expect(serve(input), input.toString()).rejects.toThrow()
    }
  })

  test('throws for a push of more than 1,000 refs', async () => {
    const refs = Array.from({ length: 1_001 }, (_, at) => `${old} ${next} refs/heads/b${at}`)
    await expect(serve(packets('version=1', flush, ...refs, flush))).rejects.toThrow(/1000 refs/)
  })
})

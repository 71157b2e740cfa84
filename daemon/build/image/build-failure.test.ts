import { expect, test } from 'vitest'
import { buildFailure } from './build-failure.ts'

const options = { output: '', kind: 'node', mask: (text: string) => text }

test.each([
  [
    'failed to solve with frontend dockerfile.v0: failed to build LLB: executor failed running [/bin/sh -c npm ci]: exit code: 1',
    { ...options, output: 'npm error missing lock file\n' },
    '`npm ci` failed with exit code 1 in the image build: missing lock file',
  ],
  [
    "The command '/bin/sh -c make' returned a non-zero code: 2",
    options,
    '`make` failed with exit code 2 in the image build',
  ],
  [
    'failed to solve with frontend dockerfile.v0: failed to create LLB definition: docker.io/library/node:99-none: not found',
    options,
    "the base image node:99-none can't be pulled (its registry does not have it): set SERVICE_IMAGE_NODE to an image that the engine has or can pull",
  ],
  [
    'failed to create LLB definition: failed to do request: Head "https://registry-1.docker.io/v2/library/node/manifests/22-bookworm-slim": dial tcp: lookup registry-1.docker.io: no such host',
    options,
    "the base image node:22-bookworm-slim can't be pulled (the name of its registry is unknown): set SERVICE_IMAGE_NODE to an image that the engine has or can pull",
  ],
  [
    'failed to register layer: write /x: no space left on device',
    options,
    "the engine's disk is full: free some space, for example with docker system prune",
  ],
  [
    'executor failed running [node build.js]: exit code: 1',
    { ...options, output: 'Error: ENOSPC: no space left on device, write\n' },
    "the engine's disk is full: free some space, for example with docker system prune",
  ],
  [
    'dockerfile parse error line 1: unknown instruction: FORM',
    { ...options, kind: 'dockerfile' },
    'the image build failed: dockerfile parse error line 1: unknown instruction: FORM',
  ],
])('the failure %s has a reason', (error, given, message) => {
  expect(buildFailure(error, given)).toMatchObject({ kind: 'unprocessable', message })
})

test('a registry of packages that does not answer is a transient failure', () => {
  const error = 'executor failed running [npm ci]: exit code: 1'
  const output = 'npm error code ECONNREFUSED\nnpm error network request failed\n'
  expect(buildFailure(error, { ...options, output })).toMatchObject({ kind: 'transient' })
})

test('a secret in a failure is masked', () => {
  const mask = (text: string) => text.replaceAll('hunter2', '[redacted]')
  const error = 'executor failed running [/bin/sh -c login hunter2]: exit code: 1'
  const { message } = buildFailure(error, { ...options, output: 'error: hunter2 is wrong\n', mask })
  expect(message).toBe(
    '`login [redacted]` failed with exit code 1 in the image build: error: [redacted] is wrong',
  )
})

import { setTimeout as pause } from 'node:timers/promises'

/**
 * What a broken application loses sight of its rows for: some 200 ms. It is made of many short
 * waits because requests sent at the same time arrive between them, however busy the machine is;
 * one long wait can be over at the first look of a process that had no turn meanwhile.
 */
export async function roundTrip(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await pause(10)
}

import { setTimeout as pause } from 'node:timers/promises'

/**
 * Delay between read and write in a broken application, about 200 ms. It consists of many short
 * waits, so that concurrent requests arrive between them even on a busy machine;
 * one long wait may be over before the process is scheduled again.
 */
export async function roundTrip(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await pause(10)
}

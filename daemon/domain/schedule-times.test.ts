import { expect, test } from 'vitest'
import { nextTime, scheduleFault, timesBetween } from './schedule-times.ts'

const berlin = 'Europe/Berlin'

function times(schedule: string, after: string, until: string, timezone = berlin): string[] {
  return timesBetween(
    { schedule, timezone },
    { after: Date.parse(after), until: Date.parse(until), max: 100 },
  ).map((at) => new Date(at).toISOString().slice(5, 16))
}

test('a schedule is due in its time zone, before and after a change of the clock', () => {
  expect(times('30 7 * * *', '2026-03-28T00:00Z', '2026-03-30T00:00Z')).toEqual([
    '03-28T06:30',
    '03-29T05:30',
  ])
})

test('a time that the clock skips is due once, right after the change', () => {
  expect(times('30 2 * * *', '2026-03-28T12:00Z', '2026-03-30T12:00Z')).toEqual([
    '03-29T01:00',
    '03-30T00:30',
  ])
})

test('a time that the clock repeats is due once, and an interval stays an interval', () => {
  expect(times('30 2 * * *', '2026-10-24T12:00Z', '2026-10-26T00:00Z')).toEqual(['10-25T00:30'])
  expect(times('*/30 * * * *', '2026-10-24T23:50Z', '2026-10-25T02:00Z')).toEqual([
    '10-25T00:00',
    '10-25T00:30',
    '10-25T01:00',
    '10-25T01:30',
    '10-25T02:00',
  ])
})

test('a day of the month and a day of the week are alternatives', () => {
  expect(times('0 0 1 * 1', '2026-03-27T00:00Z', '2026-04-06T00:00Z', 'UTC')).toEqual([
    '03-30T00:00',
    '04-01T00:00',
    '04-06T00:00',
  ])
})

test('timesBetween excludes its begin, includes its end and stops at the maximum', () => {
  expect(times('0 * * * *', '2026-01-01T01:00Z', '2026-01-01T03:00Z')).toEqual([
    '01-01T02:00',
    '01-01T03:00',
  ])
  const range = { after: 0, until: 1e9, max: 3 }
  expect(timesBetween({ schedule: '* * * * *', timezone: 'UTC' }, range)).toHaveLength(3)
})

test.each([
  ['0 0 9 * * 1', 'UTC', /five fields/],
  ['@daily', 'UTC', /five fields/],
  ['61 * * * *', 'UTC', /is not a schedule/],
  ['0 0 30 2 *', 'UTC', /is never due/],
  ['0 0 * * *', 'Mars/Olympus', /unknown time zone Mars\/Olympus/],
])('the schedule %s in %s is refused', (schedule, timezone, fault) => {
  expect(scheduleFault({ schedule, timezone })).toMatch(fault)
})

test('a valid schedule has a next time', () => {
  const times = { schedule: '0 9 * * 1-5', timezone: 'America/New_York' }
  expect(scheduleFault(times)).toBeUndefined()
  expect(nextTime(times, Date.parse('2026-03-06T15:00Z'))).toBe(Date.parse('2026-03-09T13:00Z'))
})

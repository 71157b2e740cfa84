import { describe, expect, test } from 'vitest'
import { createDeployShares } from './deploy-shares.ts'

const shares = (slots: number) => createDeployShares(slots, () => undefined)

describe('the shares of running deploys', () => {
  test('leave one slot to others if the host has several projects', () => {
    const three = shares(3)
    three.begin(1)
    expect(three.fullProjects(true)).toEqual(new Set())
    three.begin(1)
    expect(three.fullProjects(true)).toEqual(new Set([1]))
    expect(three.fullProjects(false)).toEqual(new Set())
    expect(three.isFull()).toBe(false)
    three.begin(2)
    expect(three.isFull()).toBe(true)
  })

  test('let one project use all slots if there is one slot', () => {
    const one = shares(1)
    const place = one.begin(1)
    expect([one.isFull(), [...one.fullProjects(true)]]).toEqual([true, [1]])
    place.end()
    expect([one.isFull(), [...one.fullProjects(true)]]).toEqual([false, []])
  })

  test('count a deploy that waits for its health check against a larger limit than the slots', () => {
    const two = shares(2)
    const places = Array.from({ length: 9 }, () => {
      const place = two.begin(1)
      place.leaveSlot()
      place.leaveSlot()
      return place
    })
    expect([two.isFull(), [...two.fullProjects(true)]]).toEqual([false, [1]])
    expect([...two.fullProjects(false)]).toEqual([])
    places[0]?.end()
    expect([...two.fullProjects(true)]).toEqual([])
  })

  test('end at 64 waiting deploys of all projects', () => {
    const one = shares(1)
    for (let project = 1; project <= 65; project += 1) {
      expect(one.isFull()).toBe(false)
      one.begin(project).leaveSlot()
    }
    expect(one.isFull()).toBe(true)
  })
})

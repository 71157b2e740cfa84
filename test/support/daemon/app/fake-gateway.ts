import type { Traffic } from '../../../../daemon/domain/traffic.ts'
import type { Challenge, Gateway, Route, ServedCertificate } from '../../../../daemon/ports.ts'
import { createGates, type Gates } from './gates.ts'

export interface FakeGateway extends Gateway {
  /** Gate names: `drained`. */
  readonly gates: Gates
  readonly routes: Map<string, Route>
  readonly challenges: Map<string, Challenge>
  readonly certificates: Map<string, ServedCertificate>
  /** Reports an access at a time, in milliseconds. */
  access(environmentId: number, at: number): void
  /** Reports the requests of an environment. */
  traffic(environmentId: number, traffic: Traffic): void
  /** Simulates a held request, which wakes the environment. */
  ask(environmentId: number): Promise<Route>
}

export function createFakeGateway(): FakeGateway {
  const gates = createGates()
  const routes = new Map<string, Route>()
  const challenges = new Map<string, Challenge>()
  const certificates = new Map<string, ServedCertificate>()
  let onAccess: (accesses: ReadonlyMap<number, number>) => void = () => undefined
  let onTraffic: (traffic: ReadonlyMap<number, Traffic>) => void = () => undefined
  let onWake: (environmentId: number) => Promise<Route> = () =>
    Promise.reject(new Error('no listener'))
  return {
    ...{ gates, routes, challenges, certificates },
    access: (environmentId, at) => onAccess(new Map([[environmentId, at]])),
    traffic: (environmentId, traffic) => onTraffic(new Map([[environmentId, traffic]])),
    ask: (environmentId) => onWake(environmentId),
    async route(route) {
      routes.set(route.hostname, route)
    },
    async unroute(hostname) {
      routes.delete(hostname)
    },
    async replace(all) {
      routes.clear()
      for (const route of all) routes.set(route.hostname, route)
    },
    drained: () => gates.pass('drained'),
    onAccess(listener) {
      onAccess = listener
    },
    onTraffic(listener) {
      onTraffic = listener
    },
    onWake(listener) {
      onWake = listener
    },
    async setChallenge(challenge) {
      challenges.set(challenge.hostname, challenge)
    },
    async removeChallenge(hostname) {
      challenges.delete(hostname)
    },
    async setCertificate(certificate) {
      certificates.set(certificate.hostname, certificate)
    },
    async removeCertificate(hostname) {
      certificates.delete(hostname)
    },
    async replaceCertificates(all) {
      certificates.clear()
      for (const certificate of all) certificates.set(certificate.hostname, certificate)
    },
  }
}

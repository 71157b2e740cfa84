import type * as z from 'zod'
import type { ReplyOf, RouteOf } from '../api/route-table.ts'
import type { EndpointName } from './endpoints.ts'

type Value = string | number | boolean

type ParamsPart<R> = R extends { readonly params: infer P extends z.ZodType }
  ? { readonly params: { readonly [Key in keyof z.input<P>]: Value } }
  : { readonly params?: undefined }
type QueryPart<R> = R extends { readonly query: infer Q extends z.ZodType }
  ? { readonly query?: { readonly [Key in keyof z.input<Q>]?: Value | undefined } }
  : { readonly query?: undefined }
type BodyPart<R> = R extends { readonly body: infer B extends z.ZodType }
  ? { readonly body: z.input<B> }
  : { readonly body?: undefined }

/** The input of an endpoint. Undefined query parameters are not sent. */
export type InputOf<Name extends EndpointName> = PartsOf<RouteOf<Name>>

/** The arguments of a call after its name: the input is optional if the endpoint needs none. */
export type Arguments<Name extends EndpointName, Options> =
  Record<string, never> extends InputOf<Name>
    ? [input?: InputOf<Name>, options?: Options]
    : [input: InputOf<Name>, options?: Options]

type PartsOf<R> = R extends unknown ? ParamsPart<R> & QueryPart<R> & BodyPart<R> : never

/** The responses with which a call resolves. A 422 is thrown. */
export type SuccessOf<Name extends EndpointName> = Exclude<
  ReplyOf<RouteOf<Name>>,
  { readonly status: 422 }
>

/** The JSON body with which a call resolves. */
type JsonOf<Name extends EndpointName> = Extract<
  SuccessOf<Name>,
  { readonly body: unknown }
>['body']

export type Project = JsonOf<'listProjects'>[number]
export type Environment = JsonOf<'findEnvironment'>
export type Deployed = Extract<SuccessOf<'deploy'>, { readonly status: 201 }>['body']
export type QueueEntry = JsonOf<'listQueue'>[number]
export type Schedule = JsonOf<'listSchedules'>[number]
export type Usage = JsonOf<'listUsage'>[number]
export type UsageWeek = JsonOf<'readUsageWeek'>
export type UsageHistory = JsonOf<'readUsage'>
export type AuditEntry = JsonOf<'listAudit'>[number]
export type Domain = JsonOf<'listDomains'>[number]
export type Notification = JsonOf<'listNotifications'>[number]
export type Statuses = JsonOf<'findStatuses'>
export type Node = JsonOf<'listNodes'>[number]
export type Stats = JsonOf<'readStats'>
export type InfraStatus = JsonOf<'readInfraStatus'>
export type Token = JsonOf<'listTokens'>[number]
export type TrashEntry = JsonOf<'listTrash'>[number]
export type Identity = JsonOf<'readIdentity'>
export type SetupStatus = JsonOf<'readSetupStatus'>

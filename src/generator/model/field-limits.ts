/**
 * The int type on every store kind, both ends included. Prisma's `Int` is 32-bit and signed on
 * every provider; the other kinds keep the same range so that a project can change its store.
 */
export const intRange = { min: -2_147_483_648, max: 2_147_483_647 } as const

/** The uint type: as wide as `Int` allows, because Prisma has no unsigned type. */
export const uintRange = { min: 0, max: 2_147_483_647 } as const

/** The length of a string, in UTF-16 units as zod counts them. MySQL's VARCHAR ends at 65535. */
export const stringLength = { min: 0, max: 65_535, standard: 255 } as const

/** The length of a text, in UTF-16 units: what a request body of a few megabytes can carry. */
export const textLength = { min: 0, max: 1_000_000 } as const

/** The length of an email address, from RFC 5321. */
export const emailMaxLength = 254

/**
 * The longest string with `unique` or `index`, in UTF-16 units. MySQL's index holds 3072 bytes at
 * four a character; PostgreSQL's (2704, three a unit) and SQL Server's (1700, two) hold as many.
 */
export const indexedMaxLength = 768

/** Digits of a decimal; SQL Server and DynamoDB hold 38. */
export const decimalMaxPrecision = 38

/** Digits of a decimal's `min` or `max`: a JavaScript number keeps 15 exactly. */
export const decimalBoundDigits = 15

/** Bytes of an identifier; PostgreSQL cuts longer ones off, MySQL refuses them past 64 characters. */
export const identifierMaxBytes = 63

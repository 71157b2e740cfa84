/**
 * Range of the int type on every store kind, both ends included. Prisma's `Int` is 32-bit and signed on every provider;
 * the other kinds keep the same range so that a project can change its store.
 */
export const intRange = { min: -2_147_483_648, max: 2_147_483_647 } as const

/** Range of the uint type. Its maximum equals that of `Int`, because Prisma has no unsigned type. */
export const uintRange = { min: 0, max: 2_147_483_647 } as const

/** Maximum length of a string, in UTF-16 units as zod counts them. MySQL limits VARCHAR to 65535. */
export const stringLength = { min: 0, max: 65_535, standard: 255 } as const

/** Maximum length of a text, in UTF-16 units: small enough for a request body of a few megabytes. */
export const textLength = { min: 0, max: 1_000_000 } as const

/** Maximum length of an email address, from RFC 5321. */
export const emailMaxLength = 254

/**
 * Maximum length of a string with `unique` or `index`, in UTF-16 units. An index key holds 3072 bytes in MySQL (four
 * per character), 2704 in PostgreSQL (three per unit) and 1700 in SQL Server (two per unit).
 */
export const indexedMaxLength = 768

/** Maximum digits of a decimal; SQL Server and DynamoDB hold 38. */
export const decimalMaxPrecision = 38

/** Maximum digits of a decimal's `min` or `max`: a JavaScript number keeps 15 exactly. */
export const decimalBoundDigits = 15

/** Maximum bytes of an identifier. PostgreSQL truncates longer identifiers; MySQL refuses more than 64 characters. */
export const identifierMaxBytes = 63

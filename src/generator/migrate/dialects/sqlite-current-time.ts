/** SQL of the current time in the format of the driver adapter. `CURRENT_TIMESTAMP` sorts before every value of its day. */
export const currentTime = {
  date: "strftime('%Y-%m-%dT00:00:00.000+00:00', 'now')",
  datetime: "strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now')",
} as const

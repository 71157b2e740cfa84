/** Formats a duration: `0.4 s`, `12 s`, `3 min 5 s`, `2 h 10 min`, `5 d`. */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, ms) / 1000
  if (seconds < 10) return `${seconds.toFixed(1)} s`
  if (seconds < 60) return `${Math.floor(seconds)} s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`
  if (seconds < 86_400) {
    return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`
  }
  return `${Math.floor(seconds / 86_400)} d`
}

/** Formats the age of an RFC 3339 time, for example `3 min ago`; a future time counts as now. */
export function formatAge(time: string, nowMs: number): string {
  const seconds = Math.floor(Math.max(0, nowMs - Date.parse(time)) / 1000)
  if (seconds < 60) return `${seconds} s ago`
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ago`
  return `${Math.floor(seconds / 86_400)} d ago`
}

/** Formats the time until an RFC 3339 time, for example `in 6 d`; `never` for null, `now` for a past time. */
export function formatUntil(time: string | null, nowMs: number): string {
  if (time === null) return 'never'
  const seconds = Math.ceil((Date.parse(time) - nowMs) / 1000)
  if (seconds <= 0) return 'now'
  if (seconds < 60) return `in ${seconds} s`
  if (seconds < 3600) return `in ${Math.floor(seconds / 60)} min`
  if (seconds < 86_400) return `in ${Math.floor(seconds / 3600)} h`
  return `in ${Math.floor(seconds / 86_400)} d`
}

/** Formats bytes in the largest binary unit that gives a value of at least 1. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB']
  let size = bytes
  let unit = 0
  while (size >= 1024 && unit < units.length - 1) {
    size /= 1024
    unit += 1
  }
  return `${unit === 0 || size >= 100 ? Math.round(size) : size.toFixed(1)} ${units[unit]}`
}

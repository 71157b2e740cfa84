/** How long an app may take to become healthy if `strata.json` sets no `health_timeout`. Also bounds a wake. */
export const defaultHealthTimeoutMs = 30_000

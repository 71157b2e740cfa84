/** Timeout of pause, wake and destroy: the daemon answers when the process has stopped or the app is healthy. */
export const lifecycleTimeoutMs = 180_000

/** Timeout of deploy and rollback: the daemon answers within ten minutes; the rest is a margin. */
export const deployTimeoutMs = 660_000

/** Timeout of backup and restore: the daemon makes a snapshot, or checks the whole upload, before it answers. */
export const backupTimeoutMs = 3_600_000

/** Maximum pause of a download: the daemon copies a large database before it sends it. */
export const backupSilenceMs = 900_000

/** `host_address` is the address of the node that runs an environment; NULL for the daemon's own host. */
export const sql = `
ALTER TABLE environments ADD COLUMN host_address TEXT;
`

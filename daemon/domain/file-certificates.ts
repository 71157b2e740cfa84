/**
 * Returns the certificate for a host: one that names the host, otherwise one with a wildcard of its parent. Undefined if
 * none fits.
 */
export function findFileCertificate<File extends { readonly hostnames: readonly string[] }>(
  files: readonly File[],
  hostname: string,
): File | undefined {
  const wildcard = `*${hostname.slice(hostname.indexOf('.'))}`
  return (
    files.find(({ hostnames }) => hostnames.includes(hostname)) ??
    files.find(({ hostnames }) => hostnames.includes(wildcard))
  )
}

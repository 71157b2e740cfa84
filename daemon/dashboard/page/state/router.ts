import { computed, signal } from '@preact/signals'
import { placeOf } from '../../room-paths.ts'

interface Address {
  readonly path: string
  readonly query: string
}

/** The address that the page shows. */
export const address = signal<Address>(currentAddress())

/** The room at the current address; undefined for an unknown address. */
export const place = computed(() => placeOf(address.value.path))

/** Counts visits, so that a room knows that a person came by a link rather than by a reload of the page. */
export const visits = signal(0)

/** Opens an address of this page, such as `/projects/1`. */
export function navigate(href: string, { replace = false }: { replace?: boolean } = {}): void {
  const url = new URL(href, location.href)
  const isOtherPath = url.pathname !== location.pathname
  if (replace) history.replaceState(null, '', url)
  else history.pushState(null, '', url)
  address.value = currentAddress()
  if (!isOtherPath) return
  window.scrollTo(0, 0)
  visits.value += 1
}

/** Returns a parameter of the query; undefined if it is absent. */
export function queryValue(name: string): string | undefined {
  return new URLSearchParams(address.value.query).get(name) ?? undefined
}

/** Changes a parameter of the query without a new entry in the history. `undefined` removes the parameter. */
export function setQueryValue(name: string, value: string | undefined): void {
  const url = new URL(location.href)
  if (value === undefined) url.searchParams.delete(name)
  else url.searchParams.set(name, value)
  navigate(url.pathname + url.search, { replace: true })
}

/** Follows links of the page without loading it again, and the back and forward buttons. */
export function startRouter(): void {
  window.addEventListener('popstate', () => {
    const isOtherPath = location.pathname !== address.peek().path
    address.value = currentAddress()
    if (isOtherPath) visits.value += 1
  })
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0) return
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    const link = (event.target as Element).closest('a')
    if (link === null || link.target !== '' || link.hasAttribute('download')) return
    // A link to a part of this page, such as the skip link, is the browser's own.
    if (link.getAttribute('href')?.startsWith('#')) return
    const url = new URL(link.href, location.href)
    if (url.origin !== location.origin || placeOf(url.pathname) === undefined) return
    event.preventDefault()
    navigate(url.pathname + url.search)
  })
}

function currentAddress(): Address {
  return { path: location.pathname, query: location.search }
}

/** The projects that a verified webhook delivery may act on; null: all, because the daemon's own secret signed it. */
export interface WebhookReach {
  readonly projectIds: readonly number[] | null
}

export function isReached({ projectIds }: WebhookReach, { id }: { readonly id: number }): boolean {
  return projectIds === null || projectIds.includes(id)
}

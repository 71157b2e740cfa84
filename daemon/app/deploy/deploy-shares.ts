/**
 * Shares of the projects in the running deploys. A deploy holds a slot, which stands for CPU time, until its app has
 * started. Then it only waits for the health check, and another deploy gets the slot.
 */
export interface DeployShares {
  /** Returns true if no deploy of any project may begin. */
  isFull(): boolean
  /** Returns the ids of the projects that may not begin another deploy. `isShared`: the host has several projects. */
  fullProjects(isShared: boolean): ReadonlySet<number>
  /** Takes a slot for a deploy of the project. */
  begin(projectId: number): DeployPlace
}

/** The place of one running deploy. Both methods are idempotent. */
export interface DeployPlace {
  /** Frees the slot: from now on the deploy waits for its app. */
  leaveSlot(): void
  end(): void
}

/** Maximum number of deploys that wait for their health check. Each holds memory of its node, and little CPU time. */
const maxWaits = 64
const maxWaitsOfProject = 8

interface Place {
  readonly projectId: number
  isBuilding: boolean
}

/** `changed` is called whenever a deploy leaves its slot or ends. */
export function createDeployShares(slots: number, changed: () => void): DeployShares {
  const places = new Set<Place>()

  function countByProject(filter: (place: Place) => boolean): Map<number, number> {
    const counts = new Map<number, number>()
    for (const place of places) {
      if (filter(place)) counts.set(place.projectId, (counts.get(place.projectId) ?? 0) + 1)
    }
    return counts
  }

  return {
    isFull() {
      const building = [...places].filter(({ isBuilding }) => isBuilding).length
      return building >= slots || places.size >= slots + maxWaits
    },

    fullProjects(isShared) {
      const share = isShared ? Math.max(1, slots - 1) : slots
      const building = countByProject(({ isBuilding }) => isBuilding)
      const all = countByProject(() => true)
      const isFull = (id: number) =>
        (building.get(id) ?? 0) >= share || (all.get(id) ?? 0) >= share + maxWaitsOfProject
      return new Set([...all.keys()].filter(isFull))
    },

    begin(projectId) {
      const place: Place = { projectId, isBuilding: true }
      places.add(place)
      return {
        leaveSlot() {
          if (!place.isBuilding) return
          place.isBuilding = false
          changed()
        },
        end() {
          if (places.delete(place)) changed()
        },
      }
    },
  }
}

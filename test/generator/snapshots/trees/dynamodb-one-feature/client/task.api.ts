/** JSON types of /api/v1/tasks. An update leaves absent fields unchanged. */
export interface TaskApi {
  create: {
    title: string
    done?: boolean
  }
  update: Partial<TaskApi['create']>
  reply: {
    id: number
    title: string
    done: boolean
    created_at: string
    updated_at: string
  }
  list: {
    tasks: TaskApi['reply'][]
    total: number
    page: number
    page_size: number
    next_cursor: string | null
  }
  query: {
    done?: boolean
  }
}

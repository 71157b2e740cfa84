export interface Stored {
  id: number
  createdAt: Date
  updatedAt: Date
}

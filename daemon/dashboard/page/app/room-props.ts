/** Props of each room. `id` is the number in its address; 0 for a room without one. */
export interface RoomProps {
  readonly id: number
}

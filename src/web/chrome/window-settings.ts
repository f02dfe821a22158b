/** How one person likes the window of the console. */
export interface WindowSettings {
  /** The menu is folded away. */
  readonly folded: boolean
  /** Ids of the groups of the menu that stand open. */
  readonly groups: readonly string[]
}

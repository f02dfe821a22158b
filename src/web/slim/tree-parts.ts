/**
 * What a table of choosable rows needs of trees. Ours choose each row for itself (antd's `checkStrictly`, which is its default),
 * so nothing of parents that are chosen with their children, which would bring the tree itself.
 */
export const arrAdd = <Key>(keys: readonly Key[], key: Key): Key[] => (keys.includes(key) ? [...keys] : [...keys, key])

/** The keys without one of them. */
export const arrDel = <Key>(keys: readonly Key[], key: Key): Key[] => keys.filter(one => one !== key)

/** @throws always: see {@link arrAdd} */
export function conductCheck(): never {
  throw new Error('A table whose rows are chosen with their children needs @rc-component/tree: see src/web/slim.')
}

export { conductCheck as convertDataToEntities }

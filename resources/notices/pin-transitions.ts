/** What is pinned stands above the others of its list. */
export const pinTransitions = {
  top: {
    label: '置顶',
    call: 'POST top?id',
    when: { isTop: 0 },
    set: { isTop: 1 },
    done: '{{name}} 已置顶',
    undo: { call: 'POST untop?id' },
  },
  untop: {
    label: '取消置顶',
    call: 'POST untop?id',
    when: { isTop: 1 },
    set: { isTop: 0 },
    code: 'top',
    undo: { call: 'POST top?id' },
  },
} as const

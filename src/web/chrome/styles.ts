/** The themes of the specification, by name, with what they are called. Their colours stand in `styles.css`. */
export const STYLES: readonly { readonly name: string; readonly label: string }[] = [
  { name: 'default', label: '默认' },
  { name: 'white', label: '白色' },
  { name: 'dark', label: '墨黑' },
  { name: 'star', label: '星空' },
  { name: 'smart', label: '智慧' },
  { name: 'iview', label: '石青' },
  { name: 'vip', label: '鎏金' },
  { name: 'cool', label: '青蓝' },
  { name: 'd2', label: '浅灰' },
  { name: 'hey', label: '靛蓝' },
  { name: 'lte', label: '岩灰' },
]

/** The theme at first: the specification names `hey` as default, but its top bar puts this one in its place. */
export const START_STYLE = 'smart'

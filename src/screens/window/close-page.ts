type Close = (path: string) => void

let closeTab: Close = () => undefined

/** Says what closes the tab of a page. */
export const onClosePage = (close: Close): void => {
  closeTab = close
}

/** Closes the tab of a page whose work is done. Whoever calls it goes on to another page. */
export const closePage: Close = path => closeTab(path)

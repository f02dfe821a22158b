/** Lets the arrow keys scroll the drawer that holds this element, also where nothing in it can be pressed. For `ref`. */
export function scrollStop(inside: Element | null): void {
  inside?.closest('.ant-drawer-body')?.setAttribute('tabindex', '0')
}

/** Lets the arrow keys scroll this box, also where nothing in it can be pressed. It needs a name. For `ref`. */
export function scrollBox(self: Element | null): void {
  self?.setAttribute('tabindex', '0')
}

/** The same for the drawer that holds this element. For `ref`. */
export function scrollStop(inside: Element | null): void {
  scrollBox(inside?.closest('.ant-drawer-body') ?? null)
}

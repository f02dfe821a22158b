declare module 'bpmn-moddle' {
  /** A part of a model, as far as it is used here. */
  export interface Part {
    readonly $type: string
    /** Attributes of other programs, with their prefixes. */
    readonly $attrs: Readonly<Record<string, string>>
    readonly id?: string
    readonly name?: string
    readonly rootElements?: readonly Part[]
    readonly flowElements?: readonly Part[]
    readonly sourceRef?: Part
    readonly targetRef?: Part
    readonly default?: Part
    readonly conditionExpression?: { readonly body?: string }
  }

  export class BpmnModdle {
    fromXML(xml: string): Promise<{ rootElement: Part; warnings: readonly { message: string }[] }>
  }
}

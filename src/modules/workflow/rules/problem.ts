/** A sentence about what is wrong with a model or with what a process meets; the caller makes it a refusal. */
export class FlowProblem extends Error {}

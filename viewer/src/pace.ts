// How much of a mechanism with very many bodies is drawn. A computer with graphics hardware draws all of them; where
// the processor draws, each takes about a millisecond, and a camera that follows the hand needs a picture soon.

const whileMoving = 150; // [ms] for a picture while the camera or time moves
const atRest = 3000; // [ms] for the picture after that
const restAfter = 400; // [ms] without a change

export class Pace {
  moving = Infinity; // solids that are drawn while something moves
  resting = Infinity; // and when nothing has moved for a while
  private restAt = 0; // [ms] when the full picture is due; 0: it is there

  /** Finds out how long pictures take. `draw` draws about so many solids and waits for them. */
  constructor(count: number, draw: (solids: number) => void) {
    draw(1); // what is made ready once is not to be counted
    for (let tried = 200; ; tried = Math.min(5 * tried, count)) {
      const began = performance.now();
      draw(tried);
      const spent = performance.now() - began;
      if (spent < 50 && tried < count) continue; // too few to tell
      const each = spent / tried;
      this.moving = whileMoving / each;
      this.resting = Math.max(this.moving, atRest / each);
      break;
    }
    if (this.moving >= count) this.moving = this.resting = Infinity;
  }

  /** How many to draw now: after a change, later once more for good, 0 where nothing is to be done. */
  next(changed: boolean, now: number): number {
    if (this.moving === Infinity) return changed ? Infinity : 0;
    if (changed) {
      this.restAt = now + restAfter;
      return this.moving;
    }
    if (this.restAt === 0 || now < this.restAt) return 0;
    this.restAt = 0;
    return this.resting;
  }
}

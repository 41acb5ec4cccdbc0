#!/usr/bin/env python3
"""Frames to one moving picture that repeats for ever: GIF or WebP, by the name.

    moving_picture.py OUT MILLISECONDS_PER_FRAME WIDTH FRAME.png…
"""
import sys

from PIL import Image

out, milliseconds, width, *names = sys.argv[1:]
frames = [Image.open(name).convert("RGB") for name in names]
size = (int(width), round(frames[0].height * int(width) / frames[0].width))
frames = [frame.resize(size, Image.Resampling.LANCZOS) for frame in frames]
timing = {"save_all": True, "duration": int(milliseconds), "loop": 0}

if out.endswith(".gif"):
    # One palette for all frames, made from several of them side by side: colours do not flicker, and what stands
    # still costs nothing. No dithering, for the same two reasons.
    some = frames[:: max(1, len(frames) // 8)]
    sheet = Image.new("RGB", (size[0], size[1] * len(some)))
    for i, frame in enumerate(some):
        sheet.paste(frame, (0, i * size[1]))
    palette = sheet.quantize(128, method=Image.Quantize.MEDIANCUT)
    frames = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames]
    frames[0].save(out, append_images=frames[1:], optimize=True, disposal=1, **timing)
else:
    frames[0].save(out, append_images=frames[1:], quality=55, method=4, minimize_size=True, **timing)

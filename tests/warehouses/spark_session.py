"""The one Spark session of a test process: a second would share it, and starting takes seconds."""

from __future__ import annotations

import atexit
import functools

from pyspark.sql import SparkSession

SETTINGS = {
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.memory": "2g",
    "spark.log.level": "FATAL",
    "spark.sql.analyzer.maxIterations": "1000",
    "spark.sql.shuffle.partitions": "2",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
}


@functools.cache
def spark_session() -> SparkSession:
    """Return the session, which ends with the process."""
    builder = SparkSession.builder.master("local[2]").appName("tests")
    for name, value in SETTINGS.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    atexit.register(session.stop)
    return session
